import { describe, expect, it } from '@jest/globals';
import { clockOf, isSound, parseVoiceNoteName, spokenDuration, voiceNoteName } from './voice-note.ts';

describe('the name of a voice note', () => {
  it.each([
    [200, 'Voice note 1 s.weba', 1],
    [5_400, 'Voice note 5 s.weba', 5],
    [60_000, 'Voice note 1 min 0 s.weba', 60],
    [65_000, 'Voice note 1 min 5 s.weba', 65],
    [600_900, 'Voice note 10 min 0 s.weba', 600],
  ])('contains its duration: %d ms', (durationMs, name, seconds) => {
    expect(voiceNoteName(durationMs, 'weba')).toBe(name);
    expect(parseVoiceNoteName(name)).toBe(seconds);
  });

  it.each(['Voice note.weba', 'Voice note five s.weba', 'My Voice note 5 s.weba'])('is not any other: %s', (name) => {
    expect(parseVoiceNoteName(name)).toBeUndefined();
  });
});

describe('sound', () => {
  it.each([
    [{ name: 'song.mp3', mimetype: 'audio/mpeg' }, true],
    [{ name: 'Voice note 5 s.weba', mimetype: 'video/webm' }, true],
    [{ name: 'Voice note 5 s.M4A', mimetype: 'video/mp4' }, true],
    [{ name: 'film.webm', mimetype: 'video/webm' }, false],
    [{ name: 'fake.m4a', mimetype: 'application/pdf' }, false],
  ])('is distinguished from videos by extension: %j', (file, expected) => {
    expect(isSound(file)).toBe(expected);
  });
});

it('a duration is shown as on a clock, and spelled out for screen readers', () => {
  expect([0, 5.9, 65, 600].map(clockOf)).toEqual(['0:00', '0:05', '1:05', '10:00']);
  expect([0, 1, 60, 65, 121].map(spokenDuration)).toEqual([
    '0 seconds',
    '1 second',
    '1 minute',
    '1 minute 5 seconds',
    '2 minutes 1 second',
  ]);
});
