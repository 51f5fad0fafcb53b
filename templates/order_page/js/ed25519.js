// Ed25519 (RFC 8032). A dice chain begins with a signature that must be the same each time, and some
// browsers add randomness to theirs; this implementation is deterministic, as the RFC says.

import { concat } from "./bytes.js";
import { sha512 } from "./sha.js";

const P25519 = (1n << 255n) - 19n, ORDER = (1n << 252n) + 27742317777372353535851937790883648493n;
export const modP = (a) => { const r = a % P25519; return r < 0n ? r + P25519 : r; };

function power(base, exponent) {
  let result = 1n;
  for (let b = base, e = exponent; e; e >>= 1n) {
    if (e & 1n) result = modP(result * b);
    b = modP(b * b);
  }
  return result;
}

export const inverted = (a) => power(a, P25519 - 2n);
const CURVE_D = modP(-121665n * inverted(121666n)), ROOT = power(2n, (P25519 - 1n) / 4n);

// The x of the point with this y and the given parity; null if there is none.
function xOf(y, odd) {
  const square = modP((y * y - 1n) * inverted(CURVE_D * y * y + 1n));
  let x = power(square, (P25519 + 3n) / 8n);
  if (modP(x * x - square)) x = modP(x * ROOT);
  if (modP(x * x - square) || (!x && odd)) return null;
  return (x & 1n) === odd ? x : modP(-x);
}

const pointOf = (x, y) => [x, y, 1n, modP(x * y)];
const BASE_Y = modP(4n * inverted(5n)), BASE_POINT = pointOf(xOf(BASE_Y, 0n), BASE_Y);

function addPoints([x1, y1, z1, t1], [x2, y2, z2, t2]) {
  const a = modP((y1 - x1) * (y2 - x2)), b = modP((y1 + x1) * (y2 + x2));
  const c = modP(2n * t1 * t2 * CURVE_D), d = modP(2n * z1 * z2);
  const e = b - a, f = d - c, g = d + c, h = b + a;
  return [modP(e * f), modP(g * h), modP(f * g), modP(e * h)];
}

function times(scalar, point) {
  let sum = [0n, 1n, 1n, 0n];
  for (let s = scalar, p = point; s; s >>= 1n) {
    if (s & 1n) sum = addPoints(sum, p);
    p = addPoints(p, p);
  }
  return sum;
}

export const numberOf = (bytes) => bytes.reduceRight((n, byte) => (n << 8n) | BigInt(byte), 0n);
export const lowFirst = (n, size = 32) => Uint8Array.from({ length: size }, (_, i) => Number((n >> BigInt(8 * i)) & 255n));

function packPoint([x, y, z]) {
  const over = inverted(z);
  return lowFirst(modP(y * over) | ((modP(x * over) & 1n) << 255n));
}

function unpackPoint(bytes) {
  const number = numberOf(bytes), y = number & ((1n << 255n) - 1n), x = y < P25519 ? xOf(y, number >> 255n) : null;
  return x === null ? null : pointOf(x, y);
}

function expand(seed) {
  const wide = sha512(seed), low = wide.slice(0, 32);
  low[0] &= 248;
  low[31] = (low[31] & 127) | 64;
  return [numberOf(low), wide.slice(32)];
}

export const publicOf = (seed) => packPoint(times(expand(seed)[0], BASE_POINT));

export function signEd25519(seed, message) {
  const [secret, prefix] = expand(seed), known = packPoint(times(secret, BASE_POINT));
  const r = numberOf(sha512(concat(prefix, message))) % ORDER, point = packPoint(times(r, BASE_POINT));
  const k = numberOf(sha512(concat(point, known, message))) % ORDER;
  return concat(point, lowFirst((r + k * secret) % ORDER));
}

export function verifyEd25519(known, message, signature) {
  const key = unpackPoint(known), point = unpackPoint(signature.subarray(0, 32));
  const s = numberOf(signature.subarray(32));
  if (!key || !point || signature.length !== 64 || s >= ORDER) return false;
  const k = numberOf(sha512(concat(signature.subarray(0, 32), known, message))) % ORDER;
  const left = packPoint(times(s, BASE_POINT)), right = packPoint(addPoints(point, times(k, key)));
  return left.every((byte, i) => byte === right[i]);
}
