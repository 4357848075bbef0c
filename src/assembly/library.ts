/** What a program that embeds Belay may import; everything else is private. */
export * from '#kernel';
