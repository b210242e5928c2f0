param motd string = loadTextContent('motd.txt')

output motd string = motd
