import { describe, expect, it } from '@jest/globals';
import { uploadSummary } from './upload-panel.tsx';

describe('the number of uploads', () => {
  it('is of all that were given since there was nothing under way', () => {
    expect(uploadSummary([{ state: 'sending' }], 0)).toBe('0 of 1 file uploaded');
    expect(uploadSummary([{ state: 'failed' }, { state: 'waiting' }, { state: 'sending' }], 9)).toBe(
      '9 of 12 files uploaded, 1 failed',
    );
  });
});
