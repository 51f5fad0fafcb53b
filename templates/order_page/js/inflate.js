// Decompresses DEFLATE (RFC 1951): the page's data is compressed to keep a report's mail small.

const LENGTH_BASE = [], LENGTH_BITS = [], FAR_BASE = [], FAR_BITS = [];
for (let i = 0, length = 3, far = 1; i < 30; i++) {
  FAR_BITS[i] = i < 4 ? 0 : (i >> 1) - 1;
  FAR_BASE[i] = far;
  far += 1 << FAR_BITS[i];
  if (i > 28) continue;
  LENGTH_BITS[i] = i < 8 || i === 28 ? 0 : (i >> 2) - 1;
  LENGTH_BASE[i] = i === 28 ? 258 : length;
  length += 1 << LENGTH_BITS[i];
}
const LENGTHS_FIRST = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const MOST_BITS = 15;

// A Huffman code as counts by length and symbols in order.
function codeOf(lengths) {
  const counts = new Array(MOST_BITS + 1).fill(0), symbols = [];
  for (const n of lengths) counts[n]++;
  counts[0] = 0;
  for (let n = 1; n <= MOST_BITS; n++) lengths.forEach((own, symbol) => { if (own === n) symbols.push(symbol); });
  return { counts, symbols };
}

export function inflate(packed, size) {
  const out = new Uint8Array(size);
  let at = 0, held = 0, bits = 0, filled = 0;
  const take = (n) => {
    for (; bits < n; bits += 8) held |= packed[at++] << bits;
    const value = held & ((1 << n) - 1);
    held >>>= n;
    bits -= n;
    return value;
  };
  const symbolOf = ({ counts, symbols }) => {
    for (let n = 1, code = 0, first = 0, index = 0; n <= MOST_BITS; n++) {
      code |= take(1);
      if (code - counts[n] < first) return symbols[index + code - first];
      index += counts[n];
      first = (first + counts[n]) << 1;
      code <<= 1;
    }
    throw new RangeError("damaged data");
  };
  const lengthsOf = () => {
    const [all, far, some] = [take(5) + 257, take(5) + 1, take(4) + 4], first = new Array(19).fill(0), lengths = [];
    for (let i = 0; i < some; i++) first[LENGTHS_FIRST[i]] = take(3);
    const code = codeOf(first);
    while (lengths.length < all + far) {
      const symbol = symbolOf(code);
      if (symbol < 16) lengths.push(symbol);
      else {
        const [value, times] = symbol === 16 ? [lengths[lengths.length - 1], 3 + take(2)] : [0, symbol === 17 ? 3 + take(3) : 11 + take(7)];
        for (let i = 0; i < times; i++) lengths.push(value);
      }
    }
    return [codeOf(lengths.slice(0, all)), codeOf(lengths.slice(all))];
  };
  const fixed = () => [codeOf(Array.from({ length: 288 }, (_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8))), codeOf(new Array(30).fill(5))];
  for (let last = 0; !last;) {
    last = take(1);
    const kind = take(2);
    if (kind === 0) {
      held = bits = 0;
      const length = packed[at] | (packed[at + 1] << 8);
      out.set(packed.subarray(at + 4, at + 4 + length), filled);
      at += 4 + length;
      filled += length;
      continue;
    }
    const [literals, fars] = kind === 1 ? fixed() : lengthsOf();
    for (let symbol = symbolOf(literals); symbol !== 256; symbol = symbolOf(literals)) {
      if (symbol < 256) {
        out[filled++] = symbol;
        continue;
      }
      const length = LENGTH_BASE[symbol - 257] + take(LENGTH_BITS[symbol - 257]), f = symbolOf(fars), far = FAR_BASE[f] + take(FAR_BITS[f]);
      for (let i = 0; i < length; i++, filled++) out[filled] = out[filled - far];
    }
  }
  return out;
}
