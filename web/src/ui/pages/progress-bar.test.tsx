import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import { ProgressBar } from './progress-bar.tsx';

afterEach(cleanup);

describe('a progress bar', () => {
  it('shows its share of the maximum', () => {
    render(<ProgressBar value={30} max={60} label="Upload" />);
    expect(screen.getByText('50%')).toBeTruthy();
    expect(screen.getByRole('progressbar', { name: 'Upload' }).getAttribute('aria-valuenow')).toBe('30');
  });

  it.each([-1, 101, Number.NaN])('ignores the invalid value %p', (value) => {
    render(<ProgressBar value={value} label="Upload" />);
    expect(screen.getByText('0%')).toBeTruthy();
    expect(screen.getByRole('progressbar').hasAttribute('aria-valuenow')).toBe(false);
  });
});
