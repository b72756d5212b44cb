// What other domains show of calendar feeds. The only entry.
export { CalendarFeedCard, OrganizationCalendarFeed } from './calendar-feed-card.tsx'
