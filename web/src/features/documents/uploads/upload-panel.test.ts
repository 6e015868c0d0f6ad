import { describe, expect, it } from '@jest/globals';
import { uploadSummary } from './upload-panel.tsx';

describe('upload summary', () => {
  it('counts all files added since the queue was last empty', () => {
    expect(uploadSummary([{ state: 'sending' }], 0)).toBe('0 of 1 file uploaded');
    expect(uploadSummary([{ state: 'failed' }, { state: 'waiting' }, { state: 'sending' }], 9)).toBe(
      '9 of 12 files uploaded, 1 failed',
    );
  });
});
