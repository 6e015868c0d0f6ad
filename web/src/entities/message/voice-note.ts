const MAX_SECONDS = 10 * 60;

/** The longest voice note. */
export const MAX_RECORDING_MS = MAX_SECONDS * 1_000;

/** Containers of sound only have extensions of their own; their content alone does not distinguish them from videos. */
const SOUND_EXTENSION = /\.(?:weba|m4a)$/i;
const NAME = /^Voice note (?:(\d{1,2}) min )?(\d{1,2}) s\./;

/** Such as "Voice note 1 min 5 s.weba". */
export function voiceNoteName(durationMs: number, extension: string): string {
  const seconds = Math.min(MAX_SECONDS, Math.max(1, Math.round(durationMs / 1_000)));
  const minutes = Math.floor(seconds / 60);
  return `Voice note ${minutes > 0 ? `${minutes} min ` : ''}${seconds % 60} s.${extension}`;
}

/** Returns the seconds in the name of a voice note. */
export function parseVoiceNoteName(name: string): number | undefined {
  const [, minutes = '0', seconds] = NAME.exec(name) ?? [];
  return seconds === undefined ? undefined : Number(minutes) * 60 + Number(seconds);
}

export const isSound = ({ name, mimetype }: { name: string; mimetype: string }): boolean =>
  mimetype.startsWith('audio/') || (/^video\/(?:webm|mp4)$/.test(mimetype) && SOUND_EXTENSION.test(name));

/** '0:05', '12:30'. */
export function clockOf(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** '1 minute 5 seconds', for screen readers. */
export function spokenDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const parts = [
    [Math.floor(whole / 60), 'minute'],
    [whole % 60, 'second'],
  ] as const;
  const shown = parts.filter(([count], index) => count > 0 || (index === 1 && whole < 60));
  return shown.map(([count, unit]) => `${count} ${unit}${count === 1 ? '' : 's'}`).join(' ');
}
