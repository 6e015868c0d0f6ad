import type { Readable } from 'node:stream';
import { AppError } from '@atrium/service-kit/errors/app-error';
import busboy from 'busboy';
import type { Request } from 'express';
import { uploadInterrupted } from './request-stream.ts';

/** Repeated fields are joined by commas, as for `tags`. */
export type FormFields = Record<string, string>;

/** Handles a file while the form is still arriving; `fields` are those before it. */
type FileHandler<T> = (file: Readable, info: { fileName: string | undefined; fields: FormFields }) => Promise<T>;

const MAX_FIELDS = 20;
const LIMITS = { fields: MAX_FIELDS, fieldNameSize: 100, headerPairs: 20 };

/** The form field that contains the files. */
export type FormFileField = {
  name: string;
  maxFiles: number;
  unexpectedMessage: string;
  tooManyMessage: string;
  /** Maximum size of each field without a file. */
  maxFieldBytes: number;
};

type Options<T> = {
  fileField: FormFileField;
  onFile: FileHandler<T>;
  /** Starts watching the request; a reported error ends the reading. Returns a function that stops watching. */
  watch: (fail: (error: AppError) => void) => () => void;
};

/** Files are handled sequentially; fields may precede or follow them. */
export async function parseForm<T>(
  req: Request,
  { fileField, onFile, watch }: Options<T>,
): Promise<{ fields: FormFields; files: T[] }> {
  const parser = createParser(req, fileField);
  const fields: FormFields = Object.create(null);
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  failed.catch(() => undefined);
  let handling: Promise<T[]> = Promise.resolve([]);
  let isAborted = false;

  parser.on('field', (name, value, info) => {
    if (info.nameTruncated || info.valueTruncated) fail(invalidForm('A field of the form is too long'));
    else fields[name] = name in fields ? `${fields[name]},${value}` : value;
  });
  parser.on('file', (name, file, { filename }) => {
    // A failed stream without a reader must not crash the process.
    file.on('error', () => undefined);
    if (name !== fileField.name) return fail(invalidForm(fileField.unexpectedMessage));
    // Browsers encode quotation marks in file names this way (HTML, multipart/form-data encoding).
    const fileName = filename?.replaceAll('%22', '"');
    // Files are handled sequentially, because each holds two store parts in memory.
    handling = handling.then(async (handled) => {
      if (isAborted) throw new Error('The form was aborted');
      return [...handled, await onFile(file, { fileName, fields })];
    });
    handling.catch(fail);
  });
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
    parser.on(limit, () =>
      fail(invalidForm(limit === 'filesLimit' ? fileField.tooManyMessage : 'The form has too many parts')),
    );
  }
  const parsed = new Promise<void>((resolve, reject) => {
    parser.on('close', resolve);
    parser.on('error', (error) => reject(invalidForm('The form could not be read', error)));
  });
  const onDisconnect = () => fail(uploadInterrupted());
  // The sender may have disconnected while queued, which emits no further event.
  if (req.destroyed) onDisconnect();
  req.once('close', () => void (req.complete || onDisconnect()));
  req.once('error', onDisconnect);
  const unwatch = watch(fail);

  try {
    req.pipe(parser);
    await Promise.race([parsed, failed]);
    return { fields, files: await Promise.race([handling, failed]) };
  } catch (error) {
    isAborted = true;
    req.unpipe(parser);
    parser.destroy();
    // File handlers must have ended before their leftovers are removed.
    await handling.catch(() => undefined);
    throw error;
  } finally {
    unwatch();
  }
}

function createParser(req: Request, { maxFiles, maxFieldBytes }: FormFileField): busboy.Busboy {
  if (!req.is('multipart/form-data')) {
    throw new AppError('unsupported_media_type', 'The body must be multipart/form-data');
  }
  try {
    // Accepts more parts than are allowed, so that the more specific limit is reported first.
    const limits = { ...LIMITS, fieldSize: maxFieldBytes, files: maxFiles, parts: MAX_FIELDS + maxFiles + 4 };
    return busboy({ headers: req.headers, limits, defParamCharset: 'utf8' });
  } catch (error) {
    throw invalidForm('The form could not be read', error);
  }
}

export function invalidForm(message: string, cause?: unknown): AppError {
  return new AppError('validation_failed', message, { messages: [message], cause });
}
