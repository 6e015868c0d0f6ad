import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findType } from './find-type.ts';

const detect = (content: string | number[], isComplete = true) =>
  findType({ bytes: typeof content === 'string' ? Buffer.from(content) : Buffer.from(content), isComplete });

const latin1 = (text: string) => [...Buffer.from(text, 'latin1')];

const TEXT = 'text/plain; charset=utf-8';
const CSV = 'text/csv; charset=utf-8';
const UNKNOWN = 'application/octet-stream';

describe('findType', () => {
  it.each([
    ['a PDF', '%PDF-1.7\n%âãÏÓ', 'application/pdf'],
    ['a GIF', 'GIF89a\x01\x00\x01\x00', 'image/gif'],
    ['a page', '<!doctype html><script>alert(1)</script>', TEXT],
    ['an SVG with a script', '<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>', TEXT],
    ['prose', 'Dear all,\n\nsee you at nine.\n', TEXT],
    ['one line with commas', 'a, b, c', TEXT],
    ['a table', 'name,size\n"Smith, J",2\n', CSV],
    ['a table with semicolons', 'a;b;c\r\n1;2;3\r\n', CSV],
    ['ragged lines', 'a,b\nc\n', TEXT],
    ['an object', ' {"a": [1]}', 'application/json'],
    ['an unfinished object', '{"a": ', TEXT],
    ['a number', '42', TEXT],
    ['umlauts', 'Grüße aus Köln', TEXT],
    ['text with a NUL', 'a\u0000b', UNKNOWN],
  ])('detects %s from the content', async (_label, content, type) => {
    expect(await detect(content)).toBe(type);
  });

  it.each([
    'BMW Rechnung 2026',
    'ID3 tags explained',
    'GIF89a is a format',
    'OggS',
    'fLaC notes',
    'MThd',
    'RIFF raff 1234WAVE now',
    'BZh91',
    'FWS and CWS',
    '8BPS',
    'MZ',
    'SQLite format 3',
    '!<arch>\nfoo',
    'wOFF2',
    'solid ground',
    'Rar!',
    '\ufeffBMW',
    '%PDF ist kaputt, bitte neu senden',
    '%!PS sagt er',
    '{\\rtf is not a document}',
  ])('detects text in %j, which begins like another format', async (text) => {
    expect(await detect(text)).toBe(TEXT);
  });

  it.each([
    ['an iCalendar', 'BEGIN:VCALENDAR\nVERSION:2.0\nEND:VCALENDAR\n', 'text/calendar; charset=utf-8'],
    ['RTF', '{\\rtf1\\ansi Hello}', 'application/rtf'],
    ['PostScript', '%!PS-Adobe-3.0\n', 'application/postscript'],
    ['XML', '<?xml version="1.0"?><a/>', 'application/xml'],
  ])('detects the text-based format of %s', async (_label, content, type) => {
    expect(await detect(content)).toBe(type);
  });

  const utf16 = (text: string, { isBig = false, mark = '' } = {}) => {
    const bytes = Buffer.from(mark + text, 'utf16le');
    return [...(isBig ? bytes.swap16() : bytes)];
  };
  const PROSE = [
    'Dear all, see you at nine.',
    'Привет, мир и все',
    '这是一个简单的中文文本，用于测试编码。',
    '이것은 한국어 텍스트입니다.',
  ];

  it.each(PROSE)('detects UTF-16 text with and without a byte-order mark: %j', async (text) => {
    for (const isBig of [false, true]) {
      const type = `text/plain; charset=utf-16${isBig ? 'be' : 'le'}`;
      expect(await detect(utf16(text, { isBig, mark: '\ufeff' }))).toBe(type);
      expect(await detect(utf16(text, { isBig }))).toBe(type);
    }
    expect(await detect(utf16('BMW', { mark: '\ufeff' }))).toBe('text/plain; charset=utf-16le');
  });

  it.each([
    ['windows-1252', 'R\xfcckgabe der Schl\xfcssel f\xfcr das gro\xdfe Geb\xe4ude'],
    [
      'windows-1251',
      '\xcf\xf0\xe8\xe2\xe5\xf2, \xfd\xf2\xee \xef\xf0\xee\xf1\xf2\xee\xe9 \xf0\xf3\xf1\xf1\xea\xe8\xe9 \xf2\xe5\xea\xf1\xf2',
    ],
    ['shift_jis', '\x82\xb1\x82\xea\x82\xcd\x93\xfa\x96{\x8c\xea\x82\xcc\x83e\x83L\x83X\x83g\x82\xc5\x82\xb7\x81B'],
    ['iso-2022-jp', '\x1b$B$3$l$OF|K\\8l$G$9!#\x1b(B'],
    ['gb18030', '\xd5\xe2\xca\xc7\xd2\xbb\xb8\xf6\xbc\xf2\xb5\xa5\xb5\xc4\xd6\xd0\xce\xc4\xce\xc4\xb1\xbe'],
  ])('detects text in the legacy encoding %s', async (encoding, latin1) => {
    expect(await detect([...Buffer.from(latin1, 'latin1')])).toBe(`text/plain; charset=${encoding}`);
  });

  it.each([
    ['windows-1255', 'שלום עולם לכולם', '\xf9\xec\xe5\xed \xf2\xe5\xec\xed \xec\xeb\xe5\xec\xed'],
    [
      'windows-1255',
      'דו"ח חודשי של הצוות – מרץ 2026',
      '\xe3\xe5"\xe7 \xe7\xe5\xe3\xf9\xe9 \xf9\xec \xe4\xf6\xe5\xe5\xfa \x96 \xee\xf8\xf5 2026',
    ],
    ['windows-1250', 'Faktura za usługi księgowe', 'Faktura za us\xb3ugi ksi\xeagowe'],
    [
      'iso-8859-2',
      'Příliš žluťoučký kůň úpěl ďábelské ódy',
      'P\xf8\xedli\xb9 \xbelu\xbbou\xe8k\xfd k\xf9\xf2 \xfap\xecl \xef\xe1belsk\xe9 \xf3dy',
    ],
    [
      'windows-1250',
      'Minden emberi lény szabadon születik és egyenlő méltósága és joga van',
      'Minden emberi l\xe9ny szabadon sz\xfcletik \xe9s egyenl\xf5 m\xe9lt\xf3s\xe1ga \xe9s joga van',
    ],
    [
      'koi8-u',
      'Всі люди народжуються вільними і рівними у своїй гідності',
      '\xf7\xd3\xa6 \xcc\xc0\xc4\xc9 \xce\xc1\xd2\xcf\xc4\xd6\xd5\xc0\xd4\xd8\xd3\xd1 \xd7\xa6\xcc\xd8\xce\xc9\xcd\xc9 \xa6 \xd2\xa6\xd7\xce\xc9\xcd\xc9 \xd5 \xd3\xd7\xcf\xa7\xca \xc7\xa6\xc4\xce\xcf\xd3\xd4\xa6',
    ],
    [
      'ibm866',
      'Все люди рождаются свободными и равными',
      '\x82\xe1\xa5 \xab\xee\xa4\xa8 \xe0\xae\xa6\xa4\xa0\xee\xe2\xe1\xef \xe1\xa2\xae\xa1\xae\xa4\xad\xeb\xac\xa8 \xa8 \xe0\xa0\xa2\xad\xeb\xac\xa8',
    ],
    [
      'iso-8859-6',
      'يولد جميع الناس أحرارا متساوين في الكرامة',
      '\xea\xe8\xe4\xcf \xcc\xe5\xea\xd9 \xc7\xe4\xe6\xc7\xd3 \xc3\xcd\xd1\xc7\xd1\xc7 \xe5\xca\xd3\xc7\xe8\xea\xe6 \xe1\xea \xc7\xe4\xe3\xd1\xc7\xe5\xc9',
    ],
    [
      'windows-1256',
      'محضر الاجتماع – تقرير شهري',
      '\xe3\xcd\xd6\xd1 \xc7\xe1\xc7\xcc\xca\xe3\xc7\xda \x96 \xca\xde\xd1\xed\xd1 \xd4\xe5\xd1\xed',
    ],
    [
      'windows-1258',
      'Tất cả mọi người sinh ra đều được tự do',
      'T\xe2\xect ca\xd2 mo\xf2i ng\xfd\xf5\xcci sinh ra \xf0\xea\xccu \xf0\xfd\xf5\xf2c t\xfd\xf2 do',
    ],
    [
      'windows-1257',
      'Visi žmonės gimsta laisvi ir lygūs savo orumu ir teisėmis',
      'Visi \xfemon\xebs gimsta laisvi ir lyg\xfbs savo orumu ir teis\xebmis',
    ],
    ['windows-874', 'รายงานการประชุม', '\xc3\xd2\xc2\xa7\xd2\xb9\xa1\xd2\xc3\xbb\xc3\xd0\xaa\xd8\xc1'],
    [
      'euc-kr',
      '회의록 요약과 다음 일정',
      '\xc8\xb8\xc0\xc7\xb7\xcf \xbf\xe4\xbe\xe0\xb0\xfa \xb4\xd9\xc0\xbd \xc0\xcf\xc1\xa4',
    ],
    [
      'big5',
      '人人生而自由,在尊嚴和權利上一律平等',
      '\xa4H\xa4H\xa5\xcd\xa6\xd3\xa6\xdb\xa5\xd1,\xa6b\xb4L\xc4Y\xa9M\xc5v\xa7Q\xa4W\xa4@\xab\xdf\xa5\xad\xb5\xa5',
    ],
    [
      'euc-jp',
      'すべての人間は、生まれながらにして自由であり',
      '\xa4\xb9\xa4\xd9\xa4\xc6\xa4\xce\xbf\xcd\xb4\xd6\xa4\xcf\xa1\xa2\xc0\xb8\xa4\xde\xa4\xec\xa4\xca\xa4\xac\xa4\xe9\xa4\xcb\xa4\xb7\xa4\xc6\xbc\xab\xcd\xb3\xa4\xc7\xa4\xa2\xa4\xea',
    ],
    ['windows-1254', 'Toplantı notları: İstanbul şubesi', 'Toplant\xfd notlar\xfd: \xddstanbul \xfeubesi'],
    [
      'windows-1253',
      'Πρακτικά της συνεδρίασης – Άνοιξη',
      '\xd0\xf1\xe1\xea\xf4\xe9\xea\xdc \xf4\xe7\xf2 \xf3\xf5\xed\xe5\xe4\xf1\xdf\xe1\xf3\xe7\xf2 \x96 \xa2\xed\xef\xe9\xee\xe7',
    ],
    [
      'windows-1252',
      'BMW 8a7c6d5e4f30: Rückgabe der Schlüssel für das Gebäude',
      'BMW 8a7c6d5e4f30: R\xfcckgabe der Schl\xfcssel f\xfcr das Geb\xe4ude',
    ],
    ['windows-1252', 'Contrat signé à Orléans', 'Contrat sign\xe9 \xe0 Orl\xe9ans'],
    ['windows-1252', 'Møde på lørdag', 'M\xf8de p\xe5 l\xf8rdag'],
    ['windows-1255', 'שלום עולם', '\xf9\xec\xe5\xed \xf2\xe5\xec\xed'],
  ])('detects text in %s that reads %s', async (encoding, text, latin1) => {
    const bytes = Buffer.from(latin1, 'latin1');
    expect(await detect([...bytes])).toBe(`text/plain; charset=${encoding}`);
    expect(new TextDecoder(encoding).decode(bytes)).toBe(text);
  });

  const utf32 = (text: string, { isBig = false, mark = '' } = {}) =>
    [...(mark + text)].flatMap((char) => {
      const code = char.codePointAt(0) ?? 0;
      const bytes = [code & 0xff, (code >> 8) & 0xff, code >> 16, 0];
      return isBig ? bytes.toReversed() : bytes;
    });

  it.each(PROSE)('detects UTF-32 text with and without a byte-order mark: %j', async (text) => {
    for (const isBig of [false, true]) {
      const type = `text/plain; charset=utf-32${isBig ? 'be' : 'le'}`;
      expect(await detect(utf32(text, { isBig, mark: '\ufeff' }))).toBe(type);
      expect(await detect(utf32(text, { isBig }))).toBe(type);
    }
  });

  it('detects UTF-16 text with a byte-order mark despite a lone surrogate or a truncated character', async () => {
    expect(await detect(utf16('abc\ud800def', { mark: '\ufeff' }))).toBe('text/plain; charset=utf-16le');
    expect(await detect([...utf16('abc', { mark: '\ufeff' }), 0x20])).toBe('text/plain; charset=utf-16le');
  });

  it('detects no audio in bytes that begin with a byte-order mark but are not text', async () => {
    expect(await detect([0xff, 0xfe, 0x90, 0x64, 0, 0, 0, 0, 1, 0, 1, 0])).toBe(UNKNOWN);
  });

  it.each(['会议记录上海总部第三会议室', 'Протоколсовещания', '회의록서울본사제삼회의실'])(
    'detects UTF-16 text without a byte-order mark, spaces, and punctuation: %j',
    async (text) => {
      expect(await detect(utf16(text))).toBe('text/plain; charset=utf-16le');
      expect(await detect(utf16(text, { isBig: true }))).toBe('text/plain; charset=utf-16be');
    },
  );

  it('detects UTF-16 text in either byte order, for any letters and digits', async () => {
    const words = fc.string({ unit: fc.constantFrom(...'03456789abcdef BMW'), minLength: 8, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(words, async (text) => {
        expect(await detect(utf16(text))).toBe('text/plain; charset=utf-16le');
        expect(await detect(utf16(text, { isBig: true }))).toBe('text/plain; charset=utf-16be');
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['a truncated log', [...Buffer.from('Начало в два часа дня в два '), 0xd0]],
    ['an invalid byte', [...Buffer.from('Müller und Söhne '), 0xff, ...Buffer.from(' Straße')]],
    ['Japanese with a lost byte', [...Buffer.from('会議の議事録です。').subarray(1)]],
    ['a byte-order mark and an invalid byte', [...Buffer.from('\ufeffMüller '), 0xff]],
  ])('detects damaged UTF-8: %s', async (_label, bytes) => {
    expect(await detect(bytes)).toBe(TEXT);
  });

  it('detects text in a legacy encoding with a truncated last character', async () => {
    const japanese = latin1(
      '\x82\xb1\x82\xea\x82\xcd\x93\xfa\x96{\x8c\xea\x82\xcc\x83e\x83L\x83X\x83g\x82\xc5\x82\xb7\x81',
    );
    expect(await detect(japanese)).toBe('text/plain; charset=shift_jis');
  });

  it.each([
    'Name;Ort\r\nM\xfcller;K\xf6ln\r\nJ\xe4ger;M\xfcnster',
    'Nombre;Ciudad\r\nMu\xf1oz;Le\xf3n\r\nIb\xe1\xf1ez;M\xe1laga\r\nN\xfa\xf1ez;C\xe1diz',
    'Nom;Ville\r\nLef\xe8vre;Orl\xe9ans\r\nB\xe9r\xe9nice;Besan\xe7on\r\n',
    'Zeit;Temp \xb0C\r\n10:00;21',
  ])('detects a table in windows-1252: %j', async (text) => {
    expect(await detect(latin1(text))).toBe('text/csv; charset=windows-1252');
  });

  it.each([
    'STRASSE M\xdcNCHEN K\xd6LN D\xdcSSELDORF N\xdcRNBERG W\xdcRZBURG',
    'Bitte M\xfcller anrufen',
    'Gr\xf6\xdfe',
    'R\xe9union \xe0 14 h',
    'Preis: 5 \x80',
    'Tarif \xe0 5 \x80 \x96 r\xe9serv\xe9',
    '\xbfQu\xe9 tal?',
    'No\xebl',
  ])('detects text in windows-1252: %j', async (text) => {
    expect(await detect(latin1(text))).toBe('text/plain; charset=windows-1252');
  });

  it.each([
    ['windows-1250', 'Jm\xe9no;M\xecsto\r\nDvo\xf8\xe1k;Plze\xf2\r\n\xc8ern\xfd;D\xec\xe8\xedn\r\n'],
    ['windows-1250', 'Nazwisko;Miasto\r\nWa\xb3\xeasa;Gda\xf1sk\r\n'],
    ['windows-1254', 'Ad;\xdeehir\r\n\xdeahin;\xddzmir\r\nY\xfdlmaz;Eski\xfeehir\r\n'],
    ['windows-1257', 'Vardas;Miestas\r\n\xdeemait\xeb;Panev\xeb\xfeys\r\n'],
  ])('detects a table of names in %s rather than windows-1252', async (encoding, text) => {
    expect(await detect(latin1(text))).toBe(`text/csv; charset=${encoding}`);
  });

  it('detects text in Mac OS Roman and in ISO-8859-15', async () => {
    const mac = 'Protokoll der Sitzung n\x8achste Woche. Gr\x9a\xa7e f\x9fr \x80pfel';
    expect(await detect(latin1(mac))).toBe('text/plain; charset=macintosh');
    expect(await detect(latin1('Das B\xfcro kostet 5 \xa4 f\xfcr die Gr\xf6\xdfe'))).toBe(
      'text/plain; charset=iso-8859-15',
    );
  });

  it('detects the encoding from lines that are not all ASCII, however many others precede them', async () => {
    const ascii = `\xa9 2026\n${'This line says nothing of the encoding.\n'.repeat(500)}`;
    const russian =
      '\xcf\xf0\xe8\xe2\xe5\xf2, \xfd\xf2\xee \xef\xf0\xee\xf1\xf2\xee\xe9 \xf0\xf3\xf1\xf1\xea\xe8\xe9 \xf2\xe5\xea\xf1\xf2\n'.repeat(
        20,
      );
    expect(await detect(latin1(ascii + russian))).toBe('text/plain; charset=windows-1251');
  });

  it('uses the encoding that a page declares', async () => {
    const page = '<html><head><meta charset="iso-8859-2"></head><body>Za\xbf\xf3\xb3\xe6</body></html>';
    expect(await detect([...Buffer.from(page, 'latin1')])).toBe('text/plain; charset=iso-8859-2');
  });

  it.each([
    ['MP3', [0xff, 0xfb, 0x90, 0x64, 0x00, 0x0f, 0xf0, 0x00, 0x00, 0x69, 0x00, 0x00], 'audio/mpeg'],
    ['BMP', [0x42, 0x4d, 0x46, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x36, 0x00], 'image/bmp'],
    ['gzip', [0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00], 'application/gzip'],
  ])('detects the binary format of %s', async (_label, bytes, type) => {
    expect(await detect(bytes)).toBe(type);
  });

  it('returns application/octet-stream for bytes that are not text in any encoding', async () => {
    expect(await detect([0xc3, 0x28, 0xa0, 0x41])).toBe(UNKNOWN);
  });

  it('detects text if the head ends within a character', async () => {
    const truncated = [...Buffer.from('Straße ')].concat([0xe2, 0x82]);
    expect(await detect(truncated, false)).toBe(TEXT);
    expect(await detect(truncated, true)).toBe(UNKNOWN);
  });

  it('detects the type of a truncated file from its head', async () => {
    expect(await detect('[{"a": 1}, {"b"', false)).toBe('application/json');
    expect(await detect('[see the appendix]', false)).toBe(TEXT);
    expect(await detect('a,b\n1,2\n3', false)).toBe(CSV);
  });
});
