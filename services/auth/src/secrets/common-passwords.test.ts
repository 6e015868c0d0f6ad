import { describe, expect, it } from '@jest/globals';
import { isCommonPassword } from './common-passwords.ts';

const areCommon = (passwords: string[]) => Promise.all(passwords.map(isCommonPassword));

describe('isCommonPassword', () => {
  it('matches exactly the first 100,000 passwords of the list', async () => {
    expect(await areCommon(['123456', 'password', 'P@ssw0rd', '070162', '07012006'])).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
  });

  it('ignores case and trailing punctuation', async () => {
    expect(await areCommon(['PASSWORD1', 'Password1!', 'Qwerty123#', 'Welcome1!!!'])).toEqual([true, true, true, true]);
  });

  it('accepts passwords that only contain a common password, and the empty remainder of punctuation', async () => {
    expect(await areCommon(['my password is long1!', 'Correct#Horse1', '!!!!!!!!', ''])).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});
