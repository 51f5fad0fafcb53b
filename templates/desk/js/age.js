// Sealed mail: a signed order file as an age file for the moderator (pbem/age.py, pbem/armour.py).
// Browsers have X25519 here and there and ChaCha20-Poly1305 nowhere, so both stand here in full.

const AGE_VERSION = "age-encryption.org/v1";
const BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const PRIME = 2n ** 255n - 19n;
const CHUNK = 65536;
const SMALLEST = 8192;
const octets = (text) => new TextEncoder().encode(text);

// What is sent: in a game of sealed mail the signed file, padded, as an age file for the moderator;
// elsewhere the file itself. Throws an Error for a recipient that is no age key.
export async function sealedFile(report, signed) {
  const { mail } = JSON.parse(report.setup.text || "{}");
  if (mail !== "sealed") return signed;
  const plain = octets(signed), room = new Uint8Array(bucketOf(plain.length)).fill(10);
  room.set(plain);
  return ageArmour(await ageFile(room, agePoint(report.moderator.age)));
}

// An age file of `plain` for one X25519 public key.
export async function ageFile(plain, point) {
  const key = crypto.getRandomValues(new Uint8Array(16));
  const nonce = crypto.getRandomValues(new Uint8Array(16));
  const secret = crypto.getRandomValues(new Uint8Array(32)), share = x25519(secret, BASE);
  const shared = x25519(secret, point);
  if (shared.every((byte) => byte === 0)) throw new Error("the moderator's age key is no key");
  const wrapping = await hkdf(shared, joinOctets(share, point), `${AGE_VERSION}/X25519`);
  const body = chachaPoly(wrapping, new Uint8Array(12), key);
  const head = `${AGE_VERSION}\n-> X25519 ${unpadded(share)}\n${unpadded(body)}\n---`;
  const mac = await hmac(await hkdf(key, new Uint8Array(0), "header"), octets(head));
  const payload = await hkdf(key, nonce, "payload"), chunks = [];
  for (let at = 0, i = 0; at === 0 || at < plain.length; at += CHUNK, i++) {
    chunks.push(chachaPoly(payload, chunkNonce(i, at + CHUNK >= plain.length), plain.slice(at, at + CHUNK)));
  }
  return joinOctets(octets(`${head} ${unpadded(mac)}\n`), nonce, ...chunks);
}

// The 32 bytes of `age1...` (Bech32, BIP 173).
export function agePoint(text) {
  const [, tail] = /^age1([a-z0-9]+)$/.exec(text.trim()) || [];
  const values = Array.from(tail || "", (char) => BECH32.indexOf(char));
  const bits = values.slice(0, -6).map((value) => value.toString(2).padStart(5, "0")).join("");
  const expanded = [...octets("age")].flatMap((c) => c >> 5).concat(0, [...octets("age")].map((c) => c & 31));
  const loose = bits.length !== 260 || bits.slice(256).includes("1");
  if (values.includes(-1) || loose || polymod([...expanded, ...values]) !== 1) {
    throw new Error("the report names no age key of the moderator that this page can seal to");
  }
  return Uint8Array.from(bits.match(/.{8}/g), (byte) => parseInt(byte, 2));
}

function polymod(values) {
  let check = 1;
  for (const value of values) {
    const top = check >>> 25;
    check = (check & 0x1ffffff) << 5 ^ value;
    [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3].forEach((g, i) => {
      if (top >> i & 1) check ^= g;
    });
  }
  return check;
}

// As `age -a` writes it.
function ageArmour(file) {
  const lines = binaryBase64(file).match(/.{1,64}/g);
  return ["-----BEGIN AGE ENCRYPTED FILE-----", ...lines, "-----END AGE ENCRYPTED FILE-----", ""].join("\n");
}

// 8, 12, 16, 24, 32, 48 KiB and so on: sizes tell less so.
function bucketOf(size) {
  let step = SMALLEST;
  while (step < size) {
    if (step * 1.5 >= size) return step * 1.5;
    step *= 2;
  }
  return step;
}

function binaryBase64(bytes) {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

function unpadded(bytes) {
  return binaryBase64(bytes).replace(/=+$/, "");
}

function joinOctets(...parts) {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

// The nonce of a chunk: its number in eleven bytes, and whether it is the last.
function chunkNonce(i, last) {
  const nonce = new Uint8Array(12);
  new DataView(nonce.buffer).setUint32(7, i);
  nonce[11] = last ? 1 : 0;
  return nonce;
}

async function hmac(key, message) {
  const how = { name: "HMAC", hash: "SHA-256" };
  const held = await crypto.subtle.importKey("raw", key, how, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", held, message));
}

// HKDF-SHA-256 (RFC 5869), 32 bytes.
async function hkdf(secret, salt, info) {
  const first = await hmac(salt.length ? salt : new Uint8Array(32), secret);
  return hmac(first, joinOctets(octets(info), [1]));
}

// RFC 7748

const BASE = Uint8Array.of(9, ...new Uint8Array(31));

function littleEndian(bytes) {
  return [...bytes].reduceRight((sum, byte) => sum << 8n | BigInt(byte), 0n);
}

function littleOctets(number, size) {
  return Uint8Array.from({ length: size }, (_, i) => Number(number >> BigInt(8 * i) & 255n));
}

export function x25519(secret, point) {
  const k = littleEndian(secret) & ~7n & (1n << 255n) - 1n | 1n << 254n;
  const u = littleEndian(point) & (1n << 255n) - 1n, mod = (n) => ((n % PRIME) + PRIME) % PRIME;
  let [x2, z2, x3, z3, swap] = [1n, 0n, u, 1n, 0n];
  for (let t = 254n; t >= 0n; t--) {
    const bit = k >> t & 1n;
    if (swap !== bit) [x2, x3, z2, z3] = [x3, x2, z3, z2];
    swap = bit;
    const a = x2 + z2, b = x2 - z2, aa = mod(a * a), bb = mod(b * b), e = aa - bb;
    const da = mod((x3 - z3) * a), cb = mod((x3 + z3) * b);
    [x3, z3] = [mod((da + cb) ** 2n), mod(u * (da - cb) ** 2n)];
    [x2, z2] = [mod(aa * bb), mod(e * (aa + 121665n * e))];
  }
  if (swap) [x2, z2] = [x3, z3];
  return littleOctets(mod(x2 * fieldInverse(z2)), 32);
}

// z to the power of p - 2.
function fieldInverse(z) {
  let found = 1n;
  for (let power = PRIME - 2n, base = z; power; power >>= 1n, base = base * base % PRIME) {
    if (power & 1n) found = found * base % PRIME;
  }
  return found;
}

// RFC 8439: ciphertext and tag, without associated data.
export function chachaPoly(key, nonce, plain) {
  const state = Uint32Array.of(0x61707865, 0x3320646e, 0x79622d32, 0x6b206574,
    ...littleWords(key), 0, ...littleWords(nonce));
  const once = chachaBlock(state), text = Uint8Array.from(plain);
  for (let at = 0; at < text.length; at += 64) {
    state[12]++;
    const stream = chachaBlock(state);
    for (let i = 0; i < 64 && at + i < text.length; i++) text[at + i] ^= stream[i];
  }
  const lengths = littleOctets(BigInt(text.length) << 64n, 16);
  const gap = new Uint8Array((16 - text.length % 16) % 16);
  return joinOctets(text, poly1305(once.slice(0, 32), joinOctets(text, gap, lengths)));
}

function littleWords(bytes) {
  const view = new DataView(Uint8Array.from(bytes).buffer);
  return Array.from({ length: bytes.length / 4 }, (_, i) => view.getUint32(4 * i, true));
}

function chachaBlock(state) {
  const x = Uint32Array.from(state);
  const turn = (a, b, c, d) => {
    for (const [p, q, r, n] of [[a, b, d, 16], [c, d, b, 12], [a, b, d, 8], [c, d, b, 7]]) {
      x[p] += x[q];
      x[r] ^= x[p];
      x[r] = x[r] << n | x[r] >>> (32 - n);
    }
  };
  for (let round = 0; round < 10; round++) {
    for (let i = 0; i < 4; i++) turn(i, 4 + i, 8 + i, 12 + i);
    for (let i = 0; i < 4; i++) turn(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4);
  }
  const out = new DataView(new ArrayBuffer(64));
  x.forEach((word, i) => out.setUint32(4 * i, word + state[i], true));
  return new Uint8Array(out.buffer);
}

function poly1305(key, message) {
  const r = littleEndian(key.slice(0, 16)) & 0x0ffffffc0ffffffc0ffffffc0fffffffn;
  let sum = 0n;
  for (let at = 0; at < message.length; at += 16) {
    const part = message.slice(at, at + 16);
    sum = (sum + littleEndian(part) + (1n << BigInt(8 * part.length))) * r % (2n ** 130n - 5n);
  }
  return littleOctets(sum + littleEndian(key.slice(16)), 16);
}
