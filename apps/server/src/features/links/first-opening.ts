import type { Locale } from '@tour-ops/contract/locales'
import { sql } from 'kysely'
import { oneLine } from '../../platform/channels/email-text.ts'
import { type NoticeCall, sendNotice } from '../../platform/notices.ts'
import type { LinkRef } from '../../platform/operations/open-link.ts'

const titles: Readonly<Record<Locale, string>> = {
  en: 'Your link was opened for the first time',
  de: 'Ihr Link wurde zum ersten Mal geöffnet',
  es: 'Su enlace se ha abierto por primera vez',
}

/**
 * Tells who made a link that somebody has opened it, once: called in the transaction that counted a view. Two first views wait for each other in the
 * counter of the link, and only one of them reads a one there. Of links that the product made for a message nobody is told.
 */
export async function tellOfFirstOpening(call: NoticeCall, { id }: LinkRef): Promise<void> {
  const { rows } = await sql<{ createdBy: string; label: string }>`
    select created_by as "createdBy", label from shared_links
    where org_id = ${call.orgId} and id = ${id} and view_count = 1 and created_by is not null`.execute(call.tx)
  const [link] = rows
  if (!link) return
  await sendNotice(call, link.createdBy, {
    event: 'link_opened_first',
    link: `/tools/shared-links?q=${encodeURIComponent(link.label)}`,
    text: (locale) => ({ title: titles[locale], body: oneLine(link.label, 160) }),
  })
}
