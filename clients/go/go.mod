module github.com/posthorn/posthorn/clients/go

go 1.19
