/** The last part of an address for a title: lower case, words joined. */
export function slugify_title(title) {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.join('_');
}
