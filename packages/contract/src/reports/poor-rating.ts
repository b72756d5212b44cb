/** Stars up to which a rating, of tour or guide, is poor and followed up, unless an organization has set others. */
export const usualPoorestStars = 2

/** What it can set: five stars are nobody's complaint. */
export const poorestStarsChoices = [1, 2, 3, 4] as const
