import type { Model } from 'mongoose';
import { isRepeat } from './store-unavailable.ts';

/** Inserts records whose ids are made from what they are about: those that are there already stay as they are. */
export async function insertOnce<T extends object>(model: Model<T>, records: readonly T[]): Promise<void> {
  if (records.length === 0) return;
  try {
    await model.insertMany([...records], { ordered: false, throwOnValidationError: true });
  } catch (error) {
    if (!isRepeat(error)) throw error;
  }
}
