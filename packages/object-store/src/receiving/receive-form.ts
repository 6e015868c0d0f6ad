import type { Readable } from 'node:stream';
import { AppError } from '@atrium/service-kit/http/app-error';
import busboy from 'busboy';
import type { Request } from 'express';

/** Text fields of a form; a name that came more than once holds the values joined by commas, as `tags` may. */
export type FormFields = Record<string, string>;

/** Takes the file while the form is still coming in; `fields` are those that stood before it. */
export type TakeFile<T> = (file: Readable, about: { fileName: string | undefined; fields: FormFields }) => Promise<T>;

const LIMITS = { files: 1, fields: 20, parts: 25, fieldSize: 16 * 1024, fieldNameSize: 100, headerPairs: 20 };

type Options<T> = {
  takeFile: TakeFile<T>;
  /** Begins to watch the request; what it tells ends the reading. Answers how to stop watching. */
  watch: (fail: (error: AppError) => void) => () => void;
};

/** Reads a multipart form with exactly one file, in the part called `file`; fields may stand before or after it. */
export async function receiveForm<T>(
  req: Request,
  { takeFile, watch }: Options<T>,
): Promise<{ fields: FormFields; file: T }> {
  const parser = createParser(req);
  const fields: FormFields = Object.create(null);
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  failed.catch(() => undefined);
  let taking: Promise<T> | undefined;

  parser.on('field', (name, value, info) => {
    if (info.nameTruncated || info.valueTruncated) fail(invalid('A field of the form is too long'));
    else fields[name] = name in fields ? `${fields[name]},${value}` : value;
  });
  parser.on('file', (name, file, { filename }) => {
    // A failed stream without a reader must not end the process.
    file.on('error', () => undefined);
    if (name !== 'file') return fail(invalid('A file is required'));
    // Browsers write a quotation mark in a file's name this way (HTML, multipart/form-data encoding).
    taking = takeFile(file, { fileName: filename?.replaceAll('%22', '"'), fields });
    taking.catch(fail);
  });
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
    parser.on(limit, () =>
      fail(invalid(limit === 'filesLimit' ? 'Send one file at a time' : 'The form has too many parts')),
    );
  }
  const parsed = new Promise<void>((resolve, reject) => {
    parser.on('close', resolve);
    parser.on('error', (error) => reject(invalid('The form could not be read', error)));
  });
  const gone = () => fail(invalid('The upload was interrupted'));
  req.once('close', () => void (req.complete || gone()));
  req.once('error', gone);
  const unwatch = watch(fail);

  try {
    req.pipe(parser);
    await Promise.race([parsed, failed]);
    if (!taking) throw invalid('A file is required');
    return { fields, file: await Promise.race([taking, failed]) };
  } catch (error) {
    req.unpipe(parser);
    parser.destroy();
    // What the file's reader has begun must have ended before its leftovers are removed.
    await taking?.catch(() => undefined);
    throw error;
  } finally {
    unwatch();
  }
}

function createParser(req: Request): busboy.Busboy {
  if (!req.is('multipart/form-data')) {
    throw new AppError('unsupported_media_type', 'The body must be multipart/form-data');
  }
  try {
    return busboy({ headers: req.headers, limits: LIMITS, defParamCharset: 'utf8' });
  } catch (error) {
    throw invalid('The form could not be read', error);
  }
}

function invalid(message: string, cause?: unknown): AppError {
  return new AppError('validation_failed', message, { messages: [message], cause });
}
