/** The number of bytes that `text` takes in UTF-8; a lone surrogate counts as its replacement. */
export function utf8Bytes(text: string): number {
  // Most text is ASCII, and one look at all of it is several times faster than a look at each unit.
  if (asciiText.test(text)) return text.length;
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    if (unit < 0x800) {
      bytes += 1;
    } else if (isHigh(unit) && isLow(text.charCodeAt(index + 1))) {
      bytes += 2;
      index += 1;
    } else {
      bytes += 2;
    }
  }
  return bytes;
}

/** The number of Unicode code points of `text`: what JSON Schema calls its length. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length - 1; index += 1) {
    if (isHigh(text.charCodeAt(index)) && isLow(text.charCodeAt(index + 1))) {
      count -= 1;
      index += 1;
    }
  }
  return count;
}

/** True when `text` has no lone surrogate, so that UTF-8 can carry it. */
export function isWellFormed(text: string): boolean {
  return !loneSurrogate.test(text);
}

// oxlint-disable-next-line no-control-regex -- ASCII begins with the control characters.
const asciiText = /^[\u0000-\u007f]*$/;

const loneSurrogate = /\p{Surrogate}/u;

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
