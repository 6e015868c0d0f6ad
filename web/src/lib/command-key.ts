const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

export const COMMAND_KEY = isApple ? '⌘' : 'Ctrl';

/** Whether the command key of this device is pressed. On a Mac, Ctrl moves the caret of a field. */
export const isCommandKey = ({ ctrlKey, metaKey }: Pick<KeyboardEvent, 'ctrlKey' | 'metaKey'>): boolean =>
  isApple ? metaKey : ctrlKey;
