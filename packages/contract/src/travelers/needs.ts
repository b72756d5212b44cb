/** What a kitchen has to know of a guest. */
export const dietaryNeeds = [
  'vegetarian',
  'vegan',
  'halal',
  'kosher',
  'gluten_free',
  'dairy_free',
  'nut_allergy',
  'shellfish_allergy',
  'other',
] as const
export type DietaryNeed = (typeof dietaryNeeds)[number]

/** How a guest moves about, where that matters for stairs, seats and walks. */
export const mobilityNeeds = ['none', 'cane', 'wheelchair', 'no_stairs', 'other'] as const
export type MobilityNeed = (typeof mobilityNeeds)[number]
