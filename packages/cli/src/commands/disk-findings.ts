import { statfs } from "node:fs/promises";
import { fault, fine, warning, type Finding } from "../output/findings.js";

// The superblock magics of file systems whose locks cannot be trusted between machines.
const networkFileSystems: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff53_4d42, "CIFS"],
  [0xfe53_4d42, "SMB2"],
  [0x0102_1997, "9P"],
  [0x0bd0_0bd0, "Lustre"],
  [0x00c3_6400, "Ceph"],
  [0x6573_5546, "FUSE"],
]);

const mebibyte = 1024 * 1024;
const freeBytesMin = 64 * mebibyte;

/** Whether locks hold on the file system of a folder, and whether it has room. */
export async function findDisk(directory: string): Promise<readonly Finding[]> {
  const seen = await statfs(directory).catch(() => null);
  if (seen === null) {
    return [warning("disk", "its state cannot be read", "Check it by hand: `df` shows its room.")];
  }
  const network = networkFileSystems.get(seen.type);
  const freeBytes = seen.bavail * seen.bsize;
  const free = `${Math.floor(freeBytes / mebibyte)} MiB free`;
  return [
    network === undefined
      ? fine("file system", "local")
      : fault(
          "file system",
          `${network} is a network file system`,
          "Keep state on a local disk: locks do not hold there.",
        ),
    freeBytes < freeBytesMin
      ? warning("disk", free, "Make room: a full disk refuses new writes.")
      : fine("disk", free),
  ];
}
