import { describe, expect, it } from '@jest/globals';
import { shortestCpuTime } from '#test/shortest-cpu-time.ts';
import { FIELDS, type InviteRow } from './invite-row.ts';
import { parseInviteList } from './parse-invite-list.ts';

const DEPARTMENTS = ['Engineering', 'Design & Research'];

/** `email|first|last|role|department`, without empty trailing parts. */
const formatRow = (row: InviteRow) =>
  FIELDS.map((field) => row[field])
    .join('|')
    .replace(/(?<!\|)\|+$/, '');

const read = (text: string) => parseInviteList(text, DEPARTMENTS).map(formatRow);

const LENA = 'lena@example.org|Lena|Brandt';
const OMAR = 'omar@example.org|Omar|Haddad';

describe('address list', () => {
  it.each<[string, string, string[]]>([
    ['one address', 'lena@example.org', ['lena@example.org']],
    ['commas', 'a@example.org, b@example.org,c@example.org', ['a@example.org', 'b@example.org', 'c@example.org']],
    ['semicolons', 'a@example.org;b@example.org; ', ['a@example.org', 'b@example.org']],
    [
      'line breaks of every platform',
      'a@example.org\r\nb@example.org\rc@example.org\n\n',
      ['a@example.org', 'b@example.org', 'c@example.org'],
    ],
    ['spaces', 'a@example.org b@example.org', ['a@example.org', 'b@example.org']],
    ['names', 'Lena Brandt <lena@example.org>\nOmar Haddad <OMAR@Example.org>', [LENA, OMAR]],
    ['names on one line', 'Lena Brandt <lena@example.org>, Omar Haddad <omar@example.org>', [LENA, OMAR]],
    ['names as Outlook copies them', 'Brandt, Lena <lena@example.org>; Haddad, Omar <omar@example.org>', [LENA, OMAR]],
    ['quoted names', '"Brandt, Lena" <lena@example.org>, "Omar Haddad" <omar@example.org>', [LENA, OMAR]],
    ['a name after addresses', 'a@example.org, Lena Brandt <lena@example.org>', ['a@example.org', LENA]],
    ['names without brackets', 'Lena Brandt lena@example.org\nomar@example.org (Omar Haddad)', [LENA, OMAR]],
    ['several first names', 'Anna Maria Ruiz <anna@example.org>', ['anna@example.org|Anna Maria|Ruiz']],
    ['one name', 'Lena <lena@example.org>', ['lena@example.org|Lena']],
    ['links', '<mailto:lena@example.org>', ['lena@example.org']],
    ['a name in parts', 'jose.garci\u0301a@example.org', ['jose.garc\u00eda@example.org|Jose|Garc\u00eda']],
    ['addresses of other scripts', '山田 太郎 <太郎@例え.テスト>', ['太郎@xn--r8jz45g.xn--zckzah|山田|太郎']],
    [
      'entries that are not addresses',
      'a@example.org\nnobody\nb@@example.org',
      ['a@example.org', 'nobody', 'b@@example.org'],
    ],
    [
      'an unclosed quotation mark',
      '"Lena <lena@example.org>\nomar@example.org',
      ['lena@example.org|Lena', 'omar@example.org'],
    ],
    ['a heading in the plural', 'Email addresses\na@example.org\nb@example.org', ['a@example.org', 'b@example.org']],
    ['a caption', 'Team:\na@example.org\nb@example.org', ['a@example.org', 'b@example.org']],
    ['a caption above one line', '\nTeam:\r\n\r\na@example.org, b@example.org', ['a@example.org', 'b@example.org']],
    ['a caption above names', 'Names\nLena Brandt <lena@example.org>\nomar@example.org (Omar Haddad)', [LENA, OMAR]],
    ['quotes', '"E-mail"\r\n"a@example.org"\r\n"b@example.org"\r\n', ['a@example.org', 'b@example.org']],
    ['separators only', ' \n;,\n', []],
  ])('is parsed with %s', (_format, text, expected) => expect(read(text)).toEqual(expected));
});

describe('table of people', () => {
  it.each<[string, string, string[]]>([
    ['headings and commas', 'Email,First name,Last name\nlena@example.org,Lena,Brandt', [LENA]],
    ['a byte order mark and semicolons', '\uFEFFE-Mail;Given Name;Surname\r\nlena@example.org;Lena;Brandt', [LENA]],
    ['tabs', 'first\tlast\temail\nLena\tBrandt\tlena@example.org', [LENA]],
    [
      'one column of whole names',
      'Name,Email\nLena Brandt,lena@example.org\n"Haddad, Omar",omar@example.org',
      [LENA, OMAR],
    ],
    ['a name beside a surname', 'Name,Surname,Mail\nLena,Brandt,lena@example.org', [LENA]],
    [
      'headings of other programs',
      'First Name [Required],Last Name [Required],Email Address [Required],Team\nLena,Brandt,lena@example.org,',
      [LENA],
    ],
    [
      'role and department',
      'email,name,role,department\nlena@example.org,Lena Brandt,Project Manager,Engineering',
      [`${LENA}|Project Manager|Engineering`],
    ],
    ['a position', 'email;name;position\nlena@example.org;Lena Brandt;member', [`${LENA}|member`]],
    [
      'line breaks in quotes',
      'email,department,name\nlena@example.org,"Design\n& Research","Lena\nBrandt"',
      [`${LENA}||Design\n& Research`],
    ],
    ['a name in the address', 'Email,Role\nLena Brandt <lena@example.org>,member', [`${LENA}|member`]],
    ['unknown headings', 'Name;Contact\nLena Brandt;lena@example.org', [LENA]],
    ['a single column', 'E-mail\nlena@example.org\nomar@example.org', ['lena@example.org', 'omar@example.org']],
    ['a row without an address', 'email,name\n,Lena Brandt\nomar@example.org,Omar Haddad', ['|Lena|Brandt', OMAR]],
    ['no headings', 'lena@example.org,Lena,Brandt\nomar@example.org,Omar,Haddad', [LENA, OMAR]],
    [
      'no headings, by its content',
      'Lena,Brandt,engineering,lena@example.org,member\nOmar,Haddad,,omar@example.org,Manager',
      [`${LENA}|member|engineering`, `${OMAR}|Manager`],
    ],
    ['no headings and whole names', 'Lena Brandt\tlena@example.org\nOmar Haddad\tomar@example.org', [LENA, OMAR]],
    ['an unknown department', 'lena@example.org;Lena;Brandt;Eng', [`${LENA}||Eng`]],
    ['empty rows', 'email,name\n\n ,\nlena@example.org,Lena Brandt\n,,\n', [LENA]],
    [
      'a quotation mark within a name',
      'email,name\nbuzz@example.org,"Buzz" Aldrin\nlena@example.org,Lena Brandt\nomar@example.org,"Haddad, Omar"',
      ['buzz@example.org|Buzz|Aldrin', LENA, OMAR],
    ],
    [
      'an unclosed quotation mark',
      'email,first name,last name\nlena@example.org,"Lena,Brandt\nomar@example.org,Omar,Haddad',
      [LENA, OMAR],
    ],
    [
      'unclosed quotation marks in two rows',
      'email,first name,last name\nlena@example.org,Lena,"Brandt\nomar@example.org,Omar,Haddad"\n',
      [LENA, OMAR],
    ],
    [
      'an unclosed quotation mark in an address',
      'name;email\nLena Brandt;"lena@example.org\nOmar Haddad;omar@example.org',
      [LENA, OMAR],
    ],
    [
      'inches, and quotation marks in quotes',
      'email,desk,name\nlena@example.org,5" left,"Lena ""Leni"" Brandt"\nomar@example.org,6",Omar Haddad',
      ['lena@example.org|Lena Leni|Brandt', OMAR],
    ],
    [
      'addresses below a heading of a different field',
      'Employee,Team\nlena@example.org,Engineering',
      ['lena@example.org||||Engineering'],
    ],
    [
      'two headings that match a known heading only when joined',
      'User,Email\nlbrandt,lena@example.org',
      ['lena@example.org'],
    ],
    ['a caption', 'Team:\nlena@example.org,Lena,Brandt\nomar@example.org,Omar,Haddad', [LENA, OMAR]],
    ['spaces around quotes', 'email, name\nomar@example.org, "Haddad, Omar" \n', [OMAR]],
    [
      'formulas, as text',
      'email,first name,last name\nlena@example.org,=1+1,@SUM(A1)',
      ['lena@example.org|=1+1|@SUM(A1)'],
    ],
  ])('is parsed with %s', (_format, text, expected) => expect(read(text)).toEqual(expected));
});

it('parseInviteList parses unpaired quotation marks in linear time', () => {
  const measure = (repeats: number) => {
    const text = `email,name\n${'"x"",'.repeat(repeats)}`;
    return shortestCpuTime(() => parseInviteList(text, []));
  };
  measure(1_000);
  expect(measure(40_000) / measure(5_000)).toBeLessThan(32);
});

describe('name derived from an address', () => {
  it.each<[string, string]>([
    ['lena.brandt@example.org', 'Lena|Brandt'],
    ['lena_brandt2@example.org', 'Lena|Brandt'],
    ['lena-brandt+work@example.org', 'Lena|Brandt'],
    ['anna-maria.ruiz@example.org', 'Anna-Maria|Ruiz'],
    ['åsa.öberg@example.org', 'Åsa|Öberg'],
    ['lbrandt@example.org', '|'],
    ['l.brandt@example.org', '|'],
    ['info@example.org', '|'],
    ['room.12@example.org', '|'],
  ])('of %s is %s', (email, name) => {
    const [row] = parseInviteList(email, []);
    expect(`${row?.firstName}|${row?.lastName}`).toBe(name);
    expect(row?.isNameGuessed).toBe(name !== '|');
  });
});
