/** A legacy encoding of the Encoding Standard, and what is frequent in the languages that it is used for: `share` of all that is not ASCII. */
type LegacyEncoding = { name: string; frequent: ReadonlySet<string>; share: number; isLatin: boolean };

const of = (name: string, characters: string, share: number): LegacyEncoding => ({
  name,
  frequent: new Set(characters),
  share,
  isLatin: characters.includes('ü'),
});

const PROSE = '“”„‘’‚«»–—…•€£§°©®';
const CENTRAL_EUROPEAN = `ąćęłńóśźżáčďéěíňřšťúůýžőűöüäßăâîşţľĺôŁŚŻŹĆČŘŠŽÁÉÍÓÖÜ${PROSE}`;
const RUSSIAN = 'оеаинтсрвлкмдпуяыьгз';
const from = (first: string, last: string): string =>
  String.fromCharCode(
    ...Array.from({ length: last.charCodeAt(0) - first.charCodeAt(0) + 1 }, (_, at) => first.charCodeAt(0) + at),
  );

const JAPANESE = `${from('ぁ', 'ん')}${from('ァ', 'ン')}ー、。「」・日本人大年`;

/** In the order in which a tie is decided: those whose letters do not stand beside Latin ones first. */
export const LEGACY_ENCODINGS: readonly LegacyEncoding[] = [
  of('windows-1251', RUSSIAN, 0.8),
  of('koi8-r', RUSSIAN, 0.8),
  of('ibm866', RUSSIAN, 0.8),
  of('iso-8859-5', RUSSIAN, 0.8),
  of('windows-1253', 'αοιετσνηυρπκμλςάίόέήω', 0.85),
  of('windows-1255', 'יוהלאמרתבשנעםדקחפ', 0.9),
  of('windows-1256', 'اليمونتربةعدسفهكقح', 0.85),
  of('windows-874', 'านรกอเงมยลวดทสตะปบคหแจพช่้ีั์ิไใ็', 0.9),
  of('shift_jis', JAPANESE, 0.6),
  of('euc-jp', JAPANESE, 0.6),
  of('euc-kr', '이다는에의가을로고하지은를한사서기도어나리자인들그대시아으해일수전있과정부것와했보', 0.45),
  of(
    'gb18030',
    '的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因只从想实日，。、：；',
    0.45,
  ),
  of(
    'big5',
    '的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心本前開但因只從想實日，。、：；',
    0.45,
  ),
  of('windows-1252', `äöüßéèàêçñáíóúãõâîôåæøëïûùœÄÖÜÉÀÅØÆÑÇ¿¡½²³ªº·\u00a0${PROSE}`, 0.95),
  of('windows-1250', CENTRAL_EUROPEAN, 0.95),
  of('iso-8859-2', CENTRAL_EUROPEAN, 0.95),
  of('windows-1254', `çğıöşüİŞĞÇÖÜâî${PROSE}`, 0.95),
  of('windows-1257', `āčēģīķļņšūžąęėįųõäöü${PROSE}`, 0.95),
];
