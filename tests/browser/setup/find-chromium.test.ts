import { describe, expect, it } from '@jest/globals';
import { isNewer, versionIn } from './find-chromium.ts';

describe('findChromium', () => {
  it('parses the version in the output of browsers and their wrappers', () => {
    expect(versionIn('Chromium 156.0.8078.79 built on Debian GNU/Linux 12 (bookworm)')).toBe('156.0.8078.79');
    expect(versionIn('[: 25276510208: unexpected operator\nGoogle Chrome 99.0.1.2 ')).toBe('99.0.1.2');
    expect(versionIn('command not found')).toBeUndefined();
  });

  it('compares versions numerically', () => {
    expect(isNewer('156.0.8078.79', '99.0.9999.99')).toBe(true);
    expect(isNewer('153.0.10.0', '153.0.9.9')).toBe(true);
    expect(isNewer('153.0.9.9', '153.0.9.9')).toBe(false);
    expect(isNewer('152.9.9.9', '153.0.0.0')).toBe(false);
  });
});
