import type { BatchRecord } from './batches-store.ts'
import { hiddenValue, sensitiveColumnsOf } from './file-sight.ts'
import type { Problem } from './import-problems.ts'
import { fieldOf, isQuotable } from './sensitive-columns.ts'

/**
 * Makes what the check stores of problems: without the values of passports and medical notes, which are encrypted wherever they are stored. Who
 * may see them opens the cell.
 */
export function quoter(batch: Pick<BatchRecord, 'analysis' | 'mapping'>): <P extends Problem>(found: P) => P {
  const sensitive = sensitiveColumnsOf(batch)
  return (found) => {
    const { column, code, params } = found
    const { value } = params
    if (column === null || value === undefined || !sensitive.has(column)) return found
    const isDate = code.startsWith('date_') && code !== 'date_unreadable'
    return isQuotable(fieldOf(batch.mapping, column), value, isDate)
      ? found
      : { ...found, params: { ...params, value: hiddenValue } }
  }
}
