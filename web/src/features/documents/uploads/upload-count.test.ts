import { describe, expect, it } from '@jest/globals';
import { countInWords } from './upload-panel.tsx';

describe('the number of uploads', () => {
  it('is of all that were given since there was nothing under way', () => {
    expect(countInWords([{ state: 'sending' }], 0)).toBe('0 of 1 file uploaded');
    expect(countInWords([{ state: 'failed' }, { state: 'waiting' }, { state: 'sending' }], 9)).toBe(
      '9 of 12 files uploaded, 1 failed',
    );
  });
});
