/** Uses a share (0 to 1) of a CPU core until it is killed, in slices like those of a process that streams files. */
const share = Number(process.argv[2]);
const SLICE_MS = 10;

setInterval(() => {
  const until = performance.now() + SLICE_MS * share;
  while (performance.now() < until);
}, SLICE_MS);
