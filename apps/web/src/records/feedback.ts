import { loadLater } from '../ui/load-later.tsx'

/** What guests said of a record; its code loads where it is shown. */
export const Feedback = loadLater(async () => (await import('./feedback-section.tsx')).FeedbackSection)
