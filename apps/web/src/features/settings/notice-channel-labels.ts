import type { NoticeChannel } from '@tour-ops/contract/settings/settings'
import { m } from '../../paraglide/messages.js'

/** Where a member is notified. */
export const noticeChannelLabels: Readonly<Record<NoticeChannel, () => string>> = {
  in_app: m.settings_channel_in_app,
  push: m.settings_channel_push,
  email: m.settings_channel_email,
}
