import { describe, expect, it } from '@jest/globals';
import { isCommonPassword } from './common-passwords.ts';

const areCommon = (passwords: string[]) => Promise.all(passwords.map(isCommonPassword));

describe('isCommonPassword', () => {
  it('knows the first and the last of the hundred thousand, and not the one after', async () => {
    expect(await areCommon(['123456', 'password', 'P@ssw0rd', '070162', '07012006'])).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
  });

  it('is not deceived by capitals and by marks at the end', async () => {
    expect(await areCommon(['PASSWORD1', 'Password1!', 'Qwerty123#', 'Welcome1!!!'])).toEqual([true, true, true, true]);
  });

  it('lets pass what only contains a common one, and what is no word of it', async () => {
    expect(await areCommon(['my password is long1!', 'Correct#Horse1', '!!!!!!!!', ''])).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});
