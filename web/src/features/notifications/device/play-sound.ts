const NOTES_HZ = [660, 880];
const NOTE_SECONDS = 0.12;
const VOLUME = 0.08;

/** Plays two short notes. Browsers stay silent until the user has pressed something on the page. */
export function playSound(): void {
  const context = new AudioContext();
  const volume = new GainNode(context, { gain: VOLUME });
  volume.connect(context.destination);
  for (const [index, frequency] of NOTES_HZ.entries()) {
    const note = new OscillatorNode(context, { frequency });
    const startsAt = context.currentTime + index * NOTE_SECONDS;
    note.connect(volume);
    note.start(startsAt);
    note.stop(startsAt + NOTE_SECONDS);
    if (index === NOTES_HZ.length - 1) note.addEventListener('ended', () => void context.close());
  }
}
