import { poorestStarsChoices } from '@tour-ops/contract/reports/poor-rating'
import { dailyTimes } from '@tour-ops/contract/settings/settings'
import { m } from '../../paraglide/messages.js'
import { formatLocalTime } from '../../ui/format.ts'
import type { SettingSection } from './settings-model.ts'

const timeChoices = () =>
  dailyTimes().map((value) => ({
    value,
    label: value === 'off' ? m.settings_digest_off() : formatLocalTime(value),
  }))

/** Fields of the organization on `/settings/notifications`. */
export const notificationSections: readonly SettingSection[] = [
  {
    key: 'sender',
    title: m.settings_sender,
    text: m.settings_sender_text,
    fields: [
      {
        path: 'senderName',
        column: 'notification_rules.senderName',
        label: m.settings_sender_name,
        hint: m.settings_sender_name_hint,
        kind: 'text',
      },
      {
        path: 'replyTo',
        column: 'notification_rules.replyTo',
        label: m.settings_reply_to,
        hint: m.settings_reply_to_hint,
        kind: 'email',
      },
    ],
  },
  {
    key: 'quiet',
    title: m.settings_quiet,
    text: m.settings_quiet_text,
    fields: [
      {
        path: 'quietFrom',
        column: 'notification_rules.quietFrom',
        label: m.settings_quiet_from,
        kind: 'time',
      },
      {
        path: 'quietTo',
        column: 'notification_rules.quietTo',
        label: m.settings_quiet_to,
        hint: m.settings_quiet_to_hint,
        kind: 'time',
      },
    ],
  },
  {
    key: 'digest',
    title: m.settings_digest,
    text: m.settings_digest_text,
    fields: [
      {
        path: 'digestAt',
        column: 'notification_rules.digestAt',
        label: m.settings_digest_at,
        hint: m.settings_digest_at_hint,
        kind: 'choice',
        options: timeChoices,
      },
    ],
  },
  {
    key: 'crew',
    title: m.settings_crew_reminder,
    text: m.settings_crew_reminder_text,
    fields: [
      {
        path: 'crewReminderAt',
        column: 'notification_rules.crewReminderAt',
        label: m.settings_digest_at,
        hint: m.settings_crew_reminder_at_hint,
        kind: 'choice',
        options: timeChoices,
      },
    ],
  },
  {
    key: 'ratings',
    title: m.settings_ratings,
    text: m.settings_ratings_text,
    fields: [
      {
        path: 'poorestStars',
        column: 'notification_rules.poorestStars',
        label: m.settings_poorest_stars,
        hint: m.settings_poorest_stars_hint,
        kind: 'choice',
        isNumeric: true,
        options: () =>
          poorestStarsChoices.map((count) => ({ value: String(count), label: m.settings_stars_or_less({ count }) })),
      },
    ],
  },
]
