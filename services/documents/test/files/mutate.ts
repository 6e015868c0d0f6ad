/** Returns a corrupted copy: bytes changed, removed, duplicated, or truncated. */
export function mutate(original: Buffer, random: () => number): Buffer {
  const below = (limit: number) => Math.floor(random() * limit);
  let bytes = Buffer.from(original);
  for (let times = 1 + below(4); times > 0; times -= 1) {
    const start = below(bytes.length);
    const length = 1 + below(Math.min(64, bytes.length));
    const mutation = below(5);
    if (mutation === 0) bytes[start] = below(256);
    else if (mutation === 1) bytes = Buffer.concat([bytes.subarray(0, start), bytes.subarray(start + length)]);
    else if (mutation === 2) bytes = Buffer.concat([bytes.subarray(0, start + length), bytes.subarray(start)]);
    else if (mutation === 3) bytes.fill(below(256), start, Math.min(bytes.length, start + length));
    else if (random() < 0.2) bytes = Buffer.from(bytes.subarray(0, start));
  }
  return bytes;
}
