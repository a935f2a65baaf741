/** A TypeScript string literal. */
export function quote(text: string): string {
  return JSON.stringify(text).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

/** A member's name as it stands in a type or an object literal. */
export function memberKey(name: string): string {
  return isIdentifier(name) ? name : quote(name);
}

/** True when `name` can stand without quotes. */
export function isIdentifier(name: string): boolean {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name);
}

/** An integer with its thousands apart, as TypeScript writes it. */
export function integerLiteral(value: number | bigint): string {
  const text = String(value);
  const sign = text.startsWith("-") ? "-" : "";
  const digits = text.slice(sign.length);
  const grouped = digits.length < 5 ? digits : digits.replace(/\B(?=(?:\d{3})+$)/g, "_");
  return `${sign}${grouped}`;
}

/** A TSDoc comment of `doc`, or nothing for an empty one. */
export function tsDoc(doc: string, indent = ""): readonly string[] {
  const lines = wrap(doc.trim().replaceAll("*/", "*\\/"), 96 - indent.length);
  const [first] = lines;
  if (first === undefined) return [];
  if (lines.length === 1) return [`${indent}/** ${first} */`];
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`), `${indent} */`];
}

/** The words of `text` in lines of at most `width`, where words allow it. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/).filter((part) => part !== "")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return line === "" ? lines : [...lines, line];
}

/** `head` and `items` and `tail` in one line if it fits, else an item a line. */
export function fold(head: string, items: readonly string[], tail: string, indent = ""): string[] {
  const flat = `${indent}${head}${items.join(", ")}${tail}`;
  if (flat.length <= 100) return [flat];
  return [
    `${indent}${head.trimEnd()}`,
    ...items.map((item) => `${indent}  ${item},`),
    `${indent}${tail.trimStart()}`,
  ];
}
