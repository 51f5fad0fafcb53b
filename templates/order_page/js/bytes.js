// Bytes and their text encodings (docs/formats.md, "Hash").

const ENCODER = new TextEncoder();

export const utf8 = (text) => ENCODER.encode(text);

export function concat(...parts) {
  const all = new Uint8Array(parts.reduce((n, part) => n + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

export const u32 = (n) => Uint8Array.of(n >>> 24, n >>> 16, n >>> 8, n);

// A field preceded by its length. Text is encoded as UTF-8.
export function tlv(field) {
  const bytes = typeof field === "string" ? utf8(field) : field;
  return concat(u32(bytes.length), bytes);
}

export const hex = (bytes) => Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
export const unhex = (text) => Uint8Array.from(text.match(/../g) || [], (pair) => parseInt(pair, 16));
export const base64 = (bytes) => btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join(""));

// The bytes of valid base64; null for anything else.
export function fromBase64(text) {
  const packed = text.replace(/\s+/g, "");
  if (packed.length % 4 || !/^[A-Za-z0-9+/]*={0,2}$/.test(packed)) return null;
  return Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
}

export const sameBytes = (a, b) => a.length === b.length && a.every((byte, i) => byte === b[i]);

// Reads SSH fields in sequence. Throws RangeError at the end of the data.
export function taker(bytes) {
  let at = 0;
  const raw = (n) => {
    if (at + n > bytes.length) throw new RangeError("cut short");
    at += n;
    return bytes.subarray(at - n, at);
  };
  const number = () => raw(4).reduce((n, byte) => n * 256 + byte, 0);
  return { raw, number, field: () => raw(number()), left: () => bytes.length - at };
}
