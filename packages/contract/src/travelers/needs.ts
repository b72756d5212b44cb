const diets = [
  'vegetarian',
  'vegan',
  'halal',
  'kosher',
  'gluten_free',
  'dairy_free',
  'nut_allergy',
  'shellfish_allergy',
] as const
const mobilities = ['cane', 'wheelchair', 'no_stairs'] as const

/** What a kitchen has to know of a guest. */
export const dietaryNeeds = [...diets, 'other'] as const
export type DietaryNeed = (typeof dietaryNeeds)[number]

/** How a guest moves about, where that matters for stairs, seats and walks. */
export const mobilityNeeds = ['none', ...mobilities, 'other'] as const
export type MobilityNeed = (typeof mobilityNeeds)[number]

/** The same as lists show them, beside flags of other kinds. */
export const dietFlags = [...diets, 'other_diet'] as const
export const mobilityFlags = [...mobilities, 'other_mobility'] as const
