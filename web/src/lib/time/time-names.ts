type Names = { noon: readonly string[]; midnight: readonly string[] };

/**
 * Standalone words for noon and midnight by language. `Intl` has none for midnight, and noon only in the form that
 * follows an hour.
 */
const NAMES: Readonly<Record<string, Names>> = {
  ar: { noon: ['الظهر', 'منتصف النهار'], midnight: ['منتصف الليل'] },
  bg: { noon: ['обед', 'пладне'], midnight: ['полунощ'] },
  bn: { noon: ['মধ্যাহ্ন'], midnight: ['মধ্যরাত', 'মধ্যরাত্রি'] },
  ca: { noon: ['migdia'], midnight: ['mitjanit'] },
  cs: { noon: ['poledne'], midnight: ['půlnoc'] },
  da: { noon: ['middag'], midnight: ['midnat'] },
  de: { noon: ['mittag'], midnight: ['mitternacht'] },
  el: { noon: ['μεσημέρι'], midnight: ['μεσάνυχτα'] },
  en: { noon: ['noon', 'midday'], midnight: ['midnight'] },
  es: { noon: ['mediodía'], midnight: ['medianoche'] },
  et: { noon: ['keskpäev'], midnight: ['kesköö'] },
  eu: { noon: ['eguerdia'], midnight: ['gauerdia'] },
  fa: { noon: ['ظهر'], midnight: ['نیمه شب', 'نیمهشب'] },
  fi: { noon: ['keskipäivä'], midnight: ['keskiyö'] },
  fr: { noon: ['midi'], midnight: ['minuit'] },
  gl: { noon: ['mediodía'], midnight: ['medianoite'] },
  he: { noon: ['צהריים'], midnight: ['חצות'] },
  hi: { noon: ['मध्याह्न'], midnight: ['मध्यरात्रि', 'आधी रात'] },
  hr: { noon: ['podne'], midnight: ['ponoć'] },
  hu: { noon: ['dél'], midnight: ['éjfél'] },
  id: { noon: ['tengah hari'], midnight: ['tengah malam'] },
  is: { noon: ['hádegi'], midnight: ['miðnætti'] },
  it: { noon: ['mezzogiorno'], midnight: ['mezzanotte'] },
  ja: { noon: ['正午'], midnight: ['真夜中', '零時', '午前零時'] },
  ko: { noon: ['정오'], midnight: ['자정'] },
  lt: { noon: ['vidurdienis'], midnight: ['vidurnaktis'] },
  lv: { noon: ['pusdienlaiks'], midnight: ['pusnakts'] },
  ms: { noon: ['tengah hari'], midnight: ['tengah malam'] },
  nb: { noon: ['middag'], midnight: ['midnatt'] },
  nl: { noon: ['middaguur'], midnight: ['middernacht'] },
  nn: { noon: ['middag'], midnight: ['midnatt'] },
  no: { noon: ['middag'], midnight: ['midnatt'] },
  pl: { noon: ['południe'], midnight: ['północ'] },
  pt: { noon: ['meio-dia', 'meio dia'], midnight: ['meia-noite', 'meia noite'] },
  ro: { noon: ['amiază', 'prânz'], midnight: ['miezul nopții'] },
  ru: { noon: ['полдень'], midnight: ['полночь'] },
  sk: { noon: ['poludnie'], midnight: ['polnoc'] },
  sl: { noon: ['poldne'], midnight: ['polnoč'] },
  sr: { noon: ['подне', 'podne'], midnight: ['поноћ', 'ponoć'] },
  sv: { noon: ['middag'], midnight: ['midnatt'] },
  ta: { noon: ['நண்பகல்'], midnight: ['நள்ளிரவு'] },
  th: { noon: ['เที่ยง', 'เที่ยงวัน'], midnight: ['เที่ยงคืน'] },
  tr: { noon: ['öğle', 'öğlen'], midnight: ['gece yarısı'] },
  uk: { noon: ['полудень'], midnight: ['північ'] },
  vi: { noon: ['giữa trưa'], midnight: ['nửa đêm'] },
  zh: { noon: ['中午', '正午'], midnight: ['午夜', '半夜', '子夜'] },
};

/**
 * Words after the hour of a time, which `Intl` has in no style or only as a unit of duration. Where the unit means only
 * a duration, as in German and Chinese, it is not listed.
 */
const CLOCK_UNITS: Readonly<Record<string, readonly string[]>> = {
  bg: ['ч', 'ч.', 'часа', 'час'],
  be: ['гадз', 'гадз.'],
  ca: ['hora', 'hores'],
  es: ['hora', 'horas', 'hs', 'hs.', 'hrs', 'hrs.'],
  fr: ['heure', 'heures', 'hrs'],
  gl: ['hora', 'horas'],
  it: ['ora', 'ore'],
  ja: ['時'],
  ko: ['시'],
  nl: ['uur', 'u', 'u.'],
  pl: ['godz', 'godz.', 'godzina'],
  pt: ['hora', 'horas', 'hs'],
  ro: ['ora', 'orele'],
  ru: ['ч', 'ч.', 'час', 'часа', 'часов'],
  uk: ['год', 'год.', 'година', 'години', 'годин'],
  zh: ['点', '點', '点钟', '點鐘', '时', '時'],
};

export const clockUnits = (languages: readonly string[]): string[] =>
  languages.flatMap((language) => CLOCK_UNITS[baseLanguage(language)] ?? []);

const baseLanguage = (language: string) => language.split('-', 1)[0]?.toLowerCase() ?? '';

export function namedHours(languages: readonly string[]): (readonly [name: string, hour: 0 | 12])[] {
  return ['en', ...languages].flatMap((language) => {
    const { noon = [], midnight = [] } = NAMES[baseLanguage(language)] ?? {};
    return [...noon.map((name) => [name, 12] as const), ...midnight.map((name) => [name, 0] as const)];
  });
}
