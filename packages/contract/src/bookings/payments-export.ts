import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { CsvFile, LocalDate } from '../fields.ts'
import { periodChecks } from '../reports/report-period.ts'

export const exportPayments = callable({
  name: 'payments-export',
  kind: 'read',
  permission: 'reports:export',
  summary:
    'Payments and refunds received in a period as CSV for bookkeeping, a row each, with the numbers of receipt and invoice. Days are those of the organization. Each export is in the audit log.',
  input: z
    .object({
      /** Both included. */
      from: LocalDate,
      to: LocalDate,
    })
    .check(...periodChecks),
  output: CsvFile,
  topics: [],
})
