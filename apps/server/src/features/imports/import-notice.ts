import type { Locale } from '@tour-ops/contract/locales'
import { sql } from 'kysely'
import { oneLine } from '../../platform/channels/email-text.ts'
import type { Tx } from '../../platform/db/database.ts'
import { sendNotice } from '../../platform/notices.ts'
import { plural } from '../../platform/plural.ts'
import type { ImportRun } from './import-run.ts'

type NoticeKind = 'applied' | 'undone' | 'failed'

type Words = (file: string, rows: number) => string

const titles: Readonly<Record<Locale, Readonly<Record<NoticeKind, Words>>>> = {
  en: {
    applied: (file, rows) => `${file}: ${plural(rows, '# row imported', '# rows imported')}`,
    undone: (file) => `${file}: import undone`,
    failed: (file) => `${file}: not imported`,
  },
  de: {
    applied: (file, rows) => `${file}: ${plural(rows, '# Zeile importiert', '# Zeilen importiert', 'de')}`,
    undone: (file) => `${file}: Import rückgängig gemacht`,
    failed: (file) => `${file}: nicht importiert`,
  },
  es: {
    applied: (file, rows) => `${file}: ${plural(rows, '# fila importada', '# filas importadas', 'es')}`,
    undone: (file) => `${file}: importación deshecha`,
    failed: (file) => `${file}: no se importó`,
  },
}

/** Notifies the person who started it that it is done: the page may have been left long ago. */
export async function sendImportNotice(
  run: ImportRun,
  tx: Tx,
  kind: NoticeKind,
  rows: number,
  body = '',
): Promise<void> {
  const { orgId, batchId, userId } = run.data
  const { rows: found } = await sql<{ file: string }>`
    select file_name as file from import_batches where org_id = ${orgId} and id = ${batchId}`.execute(tx)
  const file = oneLine(found[0]?.file ?? '', 80)
  await sendNotice({ ...run.services, tx, orgId }, userId, {
    event: 'import_finished',
    link: `/travelers/import/${batchId}`,
    text: (locale) => ({ title: titles[locale][kind](file, rows), body }),
  })
}
