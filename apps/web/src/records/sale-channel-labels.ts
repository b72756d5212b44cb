import type { Channel } from '@tour-ops/contract/bookings/channels'
import { m } from '../paraglide/messages.js'

/** How a booking was sold. */
export const saleChannelLabels: Readonly<Record<Channel, () => string>> = {
  direct: m.bookings_channel_direct,
  phone: m.bookings_channel_phone,
  agent: m.bookings_channel_agent,
  ota: m.bookings_channel_ota,
  partner: m.bookings_channel_partner,
  walk_in: m.bookings_channel_walk_in,
  import: m.bookings_channel_import,
}

export const saleChannelLabel = (channel: Channel): string => saleChannelLabels[channel]()
