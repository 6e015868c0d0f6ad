/** Returns a corrupted copy: bytes changed, removed, duplicated, or truncated. */
export function mutate(original: Buffer, random: () => number): Buffer {
  const below = (limit: number) => Math.floor(random() * limit);
  let bytes = Buffer.from(original);
  for (let times = 1 + below(4); times > 0; times -= 1) {
    const at = below(bytes.length);
    const length = 1 + below(Math.min(64, bytes.length));
    const how = below(5);
    if (how === 0) bytes[at] = below(256);
    else if (how === 1) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
    else if (how === 2) bytes = Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)]);
    else if (how === 3) bytes.fill(below(256), at, Math.min(bytes.length, at + length));
    else if (random() < 0.2) bytes = Buffer.from(bytes.subarray(0, at));
  }
  return bytes;
}
