import { hasModifier } from '#lib/has-modifier.ts';

type TypedAhead = {
  begin: () => void;
  take: () => string;
};

export function createTypedAhead(onCancel: () => void): TypedAhead {
  let text = '';
  let isRecording = false;
  const stop = () => {
    isRecording = false;
    window.removeEventListener('keydown', onKey, true);
    window.removeEventListener('pointerdown', stop, true);
  };
  const onKey = (event: KeyboardEvent) => {
    const isText = Array.from(event.key).length === 1;
    if (hasModifier(event) || event.key === 'Tab') return;
    // The page must not handle keys meant for the field.
    event.preventDefault();
    event.stopPropagation();
    if (isText) text += event.key;
    if (event.key === 'Backspace') text = Array.from(text).slice(0, -1).join('');
    if (event.key !== 'Escape') return;
    stop();
    onCancel();
  };
  return {
    begin() {
      if (isRecording) return;
      isRecording = true;
      text = '';
      window.addEventListener('keydown', onKey, true);
      window.addEventListener('pointerdown', stop, true);
    },
    take() {
      stop();
      return text;
    },
  };
}
