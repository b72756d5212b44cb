// What other domains show of calendar feeds. The only way in.
export { CalendarFeedCard, OrganizationCalendarFeed } from './calendar-feed-card.tsx'
