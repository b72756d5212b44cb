import type { Locale } from '@tour-ops/contract/locales'
import { type NoticeCall, type NoticeText, sendNotice } from '../../platform/notices.ts'
import { selectPeopleWith } from '../../platform/people-with.ts'
import type { OffReason } from './webhook-queue.ts'

type Texts = Readonly<Record<OffReason, (host: string) => NoticeText>>

const texts: Readonly<Record<Locale, Texts>> = {
  en: {
    gone: (host) => ({
      title: 'A webhook was switched off',
      body: `${host} answered that it wants no more events (410).`,
    }),
    failing: (host) => ({
      title: 'A webhook was switched off',
      body: `${host} has accepted nothing for three days. What waits is sent once it is on again.`,
    }),
  },
  de: {
    gone: (host) => ({
      title: 'Ein Webhook wurde abgeschaltet',
      body: `${host} hat geantwortet, dass keine Ereignisse mehr erwünscht sind (410).`,
    }),
    failing: (host) => ({
      title: 'Ein Webhook wurde abgeschaltet',
      body: `${host} hat seit drei Tagen nichts angenommen. Was wartet, wird nach dem Einschalten gesendet.`,
    }),
  },
  es: {
    gone: (host) => ({
      title: 'Se ha desactivado un webhook',
      body: `${host} respondió que no quiere más eventos (410).`,
    }),
    failing: (host) => ({
      title: 'Se ha desactivado un webhook',
      body: `${host} no ha aceptado nada desde hace tres días. Lo pendiente se enviará al activarlo de nuevo.`,
    }),
  },
}

/** Notifies everybody who can switch an endpoint on again. */
export async function notifyOfOff(call: NoticeCall, url: string, reason: OffReason): Promise<void> {
  const { host } = new URL(url)
  for (const userId of await selectPeopleWith(call.tx, call.orgId, 'settings:manage')) {
    await sendNotice(call, userId, {
      event: 'webhook_off',
      link: '/settings/webhooks',
      text: (locale) => texts[locale][reason](host),
    })
  }
}
