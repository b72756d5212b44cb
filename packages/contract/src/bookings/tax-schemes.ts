/** `included`: prices contain the tax. `margin`: the tax is on the margin, and invoices must not show any. */
export const taxSchemes = ['none', 'included', 'margin'] as const
/** Whether what is kept of a cancellation is taxed as the tour is. */
export const feeTaxes = ['taxed', 'exempt'] as const
