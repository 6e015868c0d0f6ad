import type { Model } from 'mongoose';
import { isDuplicate } from './store-unavailable.ts';

/** Inserts records with deterministic ids; existing ones are left unchanged. */
export async function insertOnce<T extends object>(model: Model<T>, records: readonly T[]): Promise<void> {
  if (records.length === 0) return;
  try {
    await model.insertMany([...records], { ordered: false, throwOnValidationError: true });
  } catch (error) {
    if (!isDuplicate(error)) throw error;
  }
}
