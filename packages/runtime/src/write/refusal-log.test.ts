import { auditRefusalsPerSecond } from "@connectors/domain";
import { describe, expect, test } from "vitest";
import { freeze, letRun, openRig, patience, type HostRig } from "../testing/host-rig.js";

async function refusals(rig: HostRig): Promise<readonly { count: number; code: string | null }[]> {
  const found: { count: number; code: string | null }[] = [];
  for await (const line of rig.host.audit.export()) {
    const { body } = line.ok ? JSON.parse(line.value) : { body: {} };
    if (body.kind === "refusal") found.push({ count: body.count, code: body.code });
  }
  return found;
}

async function knock(rig: HostRig, times: number): Promise<readonly (object | null)[]> {
  const frozen = await freeze(rig);
  const audits: (object | null)[] = [];
  for (let time = 0; time < times; time += 1) {
    const answer = await frozen.commit({ proof: null, signal: patience() });
    audits.push(answer.audit);
  }
  return audits;
}

describe("refusals of one caller", () => {
  test("are recorded one by one up to their bound in a second, then counted in one record", async () => {
    const rig = await openRig();
    const audits = await knock(rig, auditRefusalsPerSecond + 25);
    expect(audits.slice(0, auditRefusalsPerSecond).every((audit) => audit !== null)).toBe(true);
    expect(audits.slice(auditRefusalsPerSecond).every((audit) => audit === null)).toBe(true);
    expect(await refusals(rig)).toHaveLength(auditRefusalsPerSecond);
    rig.ambient.advance(1000);
    await letRun();
    const recorded = await refusals(rig);
    expect(recorded).toHaveLength(auditRefusalsPerSecond + 1);
    expect(recorded.at(-1)).toEqual({ count: 25, code: null });
    expect(rig.ambient.pendingTimers()).toBe(0);
  });

  test("are recorded one by one again in the next second", async () => {
    const rig = await openRig();
    await knock(rig, auditRefusalsPerSecond);
    rig.ambient.advance(1000);
    expect(await knock(rig, 1)).not.toContain(null);
    expect(await refusals(rig)).toHaveLength(auditRefusalsPerSecond + 1);
  });

  test("that were only counted are written when the host closes", async () => {
    const rig = await openRig();
    await knock(rig, auditRefusalsPerSecond + 3);
    await rig.host.close();
    expect((await refusals(rig)).at(-1)).toEqual({ count: 3, code: null });
  });

  test("add up to every refusal there was, whenever they came", async () => {
    const rig = await openRig();
    let knocks = 0;
    for (const [times, restMs] of [
      [15, 300],
      [20, 800],
      [5, 5000],
      [40, 0],
    ] as const) {
      await knock(rig, times);
      knocks += times;
      rig.ambient.advance(restMs);
      await letRun();
    }
    await rig.host.close();
    const counts = (await refusals(rig)).map(({ count }) => count);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(knocks);
  });
});
