/** Takes that share (0 to 1) of a processor until it is ended, in slices as a process has that passes files on. */
const share = Number(process.argv[2]);
const SLICE_MS = 10;

setInterval(() => {
  const until = performance.now() + SLICE_MS * share;
  while (performance.now() < until);
}, SLICE_MS);
