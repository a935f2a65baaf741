/** How an answer is written: for people, as one stable JSON object, or a line of JSON each. */
export type OutputFormat = "text" | "json" | "jsonl";

/** The formats that a command can be asked for. */
export const outputFormats: readonly OutputFormat[] = ["text", "json", "jsonl"];
