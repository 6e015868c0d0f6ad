const TONES_HZ = [660, 880];
const TONE_SECONDS = 0.12;
const VOLUME = 0.08;

/** Plays two short tones. Browsers stay silent until the user has pressed something on the page. */
export function playSound(): void {
  if (!navigator.userActivation.hasBeenActive) return;
  const context = new AudioContext();
  const volume = new GainNode(context, { gain: VOLUME });
  volume.connect(context.destination);
  for (const [index, frequency] of TONES_HZ.entries()) {
    const tone = new OscillatorNode(context, { frequency });
    const startsAt = context.currentTime + index * TONE_SECONDS;
    tone.connect(volume);
    tone.start(startsAt);
    tone.stop(startsAt + TONE_SECONDS);
    if (index === TONES_HZ.length - 1) tone.addEventListener('ended', () => void context.close());
  }
}
