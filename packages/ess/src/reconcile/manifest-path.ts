/** The manifest's path from the root; it lies among the files that it speaks of. */
export const manifestPath = "packages/domain/src/gen/manifest.json";
